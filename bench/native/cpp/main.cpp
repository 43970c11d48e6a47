// The rival in C++, for bench/rivals.ts: a program of the protocol that bench/rivals/program.ts describes. With --bin
// before the file it is a command instead: it writes the 32 bytes of every line, as `urlsum --format bin` does.

#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <openssl/crypto.h>

#include "rival.hpp"
#include "text.hpp"

using namespace std::string_literals;
using Lines = std::vector<std::string_view>;

static const std::string WAY = "ada + openssl";

// In nanoseconds per line.
struct Round {
  double elapsed;
  double processor;
};

static std::string hexadecimal(const Digest& digest) {
  static constexpr char DIGITS[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : digest) text += {DIGITS[byte >> 4], DIGITS[byte & 15]};
  return text;
}

static std::string digests_of(const Lines& lines) {
  std::string text;
  for (const std::string_view line : lines) text += hexadecimal(digest_of(line));
  return text;
}

static double elapsed_nanoseconds() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static double processor_nanoseconds() {
  timespec time{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) throw std::runtime_error("this process has no clock");
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

// Keeps the digests in use, so that none is optimized away.
volatile unsigned char sink;

static Round timed(const Lines& lines) {
  const double start = elapsed_nanoseconds(), processor = processor_nanoseconds();
  for (const std::string_view line : lines) sink = digest_of(line).front();
  const auto count = static_cast<double>(lines.size());
  return {(elapsed_nanoseconds() - start) / count, (processor_nanoseconds() - processor) / count};
}

static std::string json(const Round& round) {
  return "{\"elapsed\":" + std::to_string(round.elapsed) + ",\"processor\":" + std::to_string(round.processor) + "}";
}

static std::string introduction() {
  const std::string version = "ada "s + ADA_VERSION + ", " + OpenSSL_version(OPENSSL_VERSION);
  return R"({"name":"C++","version":")" + version + R"(","ways":[")" + WAY + R"("]})";
}

static std::string answer(const std::string& request, const Lines& lines) {
  if (request == "digests " + WAY) return digests_of(lines);
  if (request == "round " + WAY) return json(timed(lines));
  throw std::invalid_argument("not a request: " + request);
}

static void serve(std::string_view text) {
  Lines lines;
  for_each_line(text, [&](std::string_view line) { lines.push_back(line); });
  std::cout << introduction() << std::endl;
  for (std::string request; std::getline(std::cin, request);) std::cout << answer(request, lines) << std::endl;
}

static void write(std::vector<Digest>& digests) {
  if (std::fwrite(digests.data(), sizeof(Digest), digests.size(), stdout) != digests.size())
    throw std::runtime_error("the digests cannot be written");
  digests.clear();
}

// A mebibyte at a time.
static void write_digests(std::string_view text) {
  static constexpr std::size_t BATCH = (1 << 20) / sizeof(Digest);
  std::vector<Digest> digests;
  digests.reserve(BATCH);
  for_each_line(text, [&](std::string_view line) {
    digests.push_back(digest_of(line));
    if (digests.size() == BATCH) write(digests);
  });
  write(digests);
}

int main(int count, char** arguments) {
  if (count == 3 && arguments[1] == "--bin"s) write_digests(text_of(arguments[2]));
  else if (count == 2) serve(text_of(arguments[1]));
  else throw std::invalid_argument("expected a file of lines, with --bin before it or not");
}
