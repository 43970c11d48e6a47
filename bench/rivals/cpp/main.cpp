// The rivals in C++: what their users would write. A program of the protocol that bench/rivals/program.ts describes.
// With --bin before the file it is a command instead: it writes the 32 bytes of every line, as `urlsum --format bin`.

#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <ada.h>
#include <openssl/opensslv.h>
#include <openssl/sha.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

using namespace std::string_literals;
using Lines = std::vector<std::string_view>;
using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;
using Work = void (*)(const Lines&, std::vector<Digest>&);

struct Way {
  std::string kind;
  std::string name;
  Work round;    // what is timed
  Work digests;  // what it is compared by: the digests themselves, or those of the forms
};

// SHA256_Init, SHA256_Update and SHA256_Final take 85 ns for a message of 65 bytes; EVP with a context that is kept
// 155, EVP_Digest with an algorithm that is kept 215, EVP_Q_digest and SHA256 475.
static void sha256(std::string_view message, Digest& digest) {
  SHA256_CTX context;
  SHA256_Init(&context);
  SHA256_Update(&context, message.data(), message.size());
  SHA256_Final(digest.data(), &context);
}

// Zeros for what is not a URL.
static Digest digest_of(std::string_view line) {
  Digest digest{};
  const auto url = ada::parse<ada::url_aggregator>(line);
  if (url) sha256(url->get_href(), digest);
  return digest;
}

static void hash_urls(const Lines& lines, std::vector<Digest>& digests) {
  for (std::size_t row = 0; row < lines.size(); row++) digests[row] = digest_of(lines[row]);
}

// The last byte of each form is kept, so that none is optimized away.
static void bring_to_form(const Lines& lines, std::vector<Digest>& digests) {
  for (std::size_t row = 0; row < lines.size(); row++) {
    const auto url = ada::parse<ada::url_aggregator>(lines[row]);
    digests[row][0] = url ? static_cast<unsigned char>(url->get_href().back()) : 0;
  }
}

static void ask_whether_urls(const Lines& lines, std::vector<Digest>& digests) {
  for (std::size_t row = 0; row < lines.size(); row++) digests[row][0] = ada::can_parse(lines[row]);
}

static void hash_lines(const Lines& lines, std::vector<Digest>& digests) {
  for (std::size_t row = 0; row < lines.size(); row++) sha256(lines[row], digests[row]);
}

static const std::string ADA = "ada "s + ADA_VERSION;
static const std::string OPENSSL = "OpenSSL "s + OPENSSL_VERSION_STR;
static const std::vector<Way> WAYS = {
  {"hash", ADA + " + " + OPENSSL, hash_urls, hash_urls},
  {"form", ADA + ", href", bring_to_form, hash_urls},
  {"form", ADA + ", can_parse alone", ask_whether_urls, hash_urls},
  {"message", OPENSSL, hash_lines, hash_lines},
};

static double elapsed_nanoseconds() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static double processor_nanoseconds() {
  timespec time{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) != 0) throw std::runtime_error("this process has no clock");
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

static std::string timed(Work work, const Lines& lines, std::vector<Digest>& digests) {
  const double start = elapsed_nanoseconds(), processor = processor_nanoseconds();
  work(lines, digests);
  const auto count = static_cast<double>(lines.size());
  return "{\"elapsed\":" + std::to_string((elapsed_nanoseconds() - start) / count) +
         ",\"processor\":" + std::to_string((processor_nanoseconds() - processor) / count) + "}";
}

static std::string hexadecimal(const std::vector<Digest>& digests) {
  static constexpr char DIGITS[] = "0123456789abcdef";
  std::string text;
  for (const Digest& digest : digests)
    for (const unsigned char byte : digest) text += {DIGITS[byte >> 4], DIGITS[byte & 15]};
  return text;
}

static std::string introduction() {
  std::string ways;
  for (const std::string kind : {"hash", "form", "message"}) {
    std::string names;
    for (const Way& way : WAYS)
      if (way.kind == kind) names += (names.empty() ? "\"" : ",\"") + way.name + "\"";
    ways += (ways.empty() ? "\"" : ",\"") + kind + "\":[" + names + "]";
  }
  return R"({"name":"C++","version":"","ways":{)" + ways + "}}";
}

static std::string answer(const std::string& request, const Lines& lines, std::vector<Digest>& digests) {
  for (const Way& way : WAYS) {
    if (request == "round " + way.name) return timed(way.round, lines, digests);
    if (request != "digests " + way.name) continue;
    way.digests(lines, digests);
    return hexadecimal(digests);
  }
  throw std::invalid_argument("not a request: " + request);
}

// Mapped to the end of the program.
static std::string_view text_of(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY);
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0) throw std::runtime_error(path + " cannot be read");
  const auto length = static_cast<std::size_t>(status.st_size);
  void* const text = mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file, 0);
  if (text == MAP_FAILED) throw std::runtime_error(path + " cannot be mapped");
  return {static_cast<const char*>(text), length};
}

// A last line without a line feed counts.
template <typename Visit>
static void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    visit(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

static void write(std::vector<Digest>& digests) {
  if (std::fwrite(digests.data(), sizeof(Digest), digests.size(), stdout) != digests.size())
    throw std::runtime_error("the digests cannot be written");
  digests.clear();
}

// A megabyte of digests at a time.
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
  if (count < 2) throw std::invalid_argument("expected a file of lines, with --bin before it or not");
  const std::string_view text = text_of(arguments[count - 1]);
  if (count == 3 && arguments[1] == "--bin"s) {
    write_digests(text);
    return 0;
  }
  Lines lines;
  for_each_line(text, [&](std::string_view line) { lines.push_back(line); });
  std::vector<Digest> digests(lines.size());
  std::cout << introduction() << std::endl;
  for (std::string request; std::getline(std::cin, request);) std::cout << answer(request, lines, digests) << std::endl;
}
