// A file as the rival reads it: mapped, and line by line.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// Mapped to the end of the program.
inline std::string_view text_of(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY);
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0) throw std::runtime_error(path + " cannot be read");
  const auto length = static_cast<std::size_t>(status.st_size);
  void* const text = mmap(nullptr, length, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (text == MAP_FAILED) throw std::runtime_error(path + " cannot be mapped");
  return {static_cast<const char*>(text), length};
}

// A last line without a line feed counts.
template <typename Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    visit(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}
