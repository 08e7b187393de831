// What is encoded: trees, strings, hash maps and records, always the same ones.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace scenes {

using random_numbers = std::mt19937;

/// `Owner` is std::unique_ptr, or that of a library which refuses null ones.
template <template <class> class Owner>
struct node_of {
  int first = 0;
  int count = 0;
  double low = 0;
  double high = 0;
  Owner<node_of> left{}, right{};
  static void fields(auto& self, auto&& visit) {
    visit(self.first, self.count, self.low, self.high, self.left, self.right);
  }
};
template <class T>
using owner = std::unique_ptr<T>;
using node = node_of<owner>;
using tree = owner<node>;
template <template <class> class Owner = owner>
Owner<node_of<Owner>> tree_of(int nodes) {
  if (nodes == 0) return {};
  Owner<node_of<Owner>> made(new node_of<Owner>);
  made->first = nodes;
  made->high = 0.5 * nodes;
  made->left = tree_of<Owner>((nodes - 1) / 2);
  made->right = tree_of<Owner>(nodes - 1 - (nodes - 1) / 2);
  return made;
}
template <template <class> class Owner>
double sum(const Owner<node_of<Owner>>& of) {
  return of == nullptr ? 0
                       : of->first + of->high + sum<Owner>(of->left) + 2 * sum<Owner>(of->right);
}
inline double sum(const tree& of) { return sum<owner>(of); }

/// Of 0 to 40 characters.
inline std::string text_of(random_numbers& draw) {
  return std::string(draw() % 41, static_cast<char>('a' + draw() % 26));
}
inline std::vector<std::string> strings_of(std::size_t n) {
  random_numbers draw(1);
  std::vector<std::string> made;
  for (std::size_t i = 0; i < n; ++i) made.push_back(text_of(draw));
  return made;
}
inline double sum(const std::string& of) {
  return static_cast<double>(of.size()) + (of.empty() ? 0 : of.back());
}
inline double sum(const std::vector<std::string>& of) {
  double total = 0;
  for (const std::string& each : of) total = 0.5 * total + sum(each);
  return total;
}

using string_map = std::unordered_map<std::string, int>;
inline string_map string_map_of(std::size_t n) {
  random_numbers draw(2);
  string_map made;
  while (made.size() < n)
    made.emplace(text_of(draw) + std::to_string(draw()), static_cast<int>(made.size()));
  return made;
}
using number_map = std::unordered_map<int, double>;
inline number_map number_map_of(std::size_t n) {
  random_numbers draw(3);
  number_map made;
  while (made.size() < n) made.emplace(static_cast<int>(draw()), static_cast<double>(made.size()));
  return made;
}
/// Whole numbers, whose sum is the same in any order.
inline double sum(const string_map& of) {
  double total = 0;
  for (const auto& [key, value] : of) total += sum(key) + 3 * value;
  return total;
}
inline double sum(const number_map& of) {
  double total = 0;
  for (const auto& [key, value] : of) total += key + 3 * value;
  return total;
}

struct record {
  std::int32_t number;
  double weight;
  std::string name;
  std::int16_t kind;
  float share;
  std::int64_t since;
  static void fields(auto& self, auto&& visit) {
    visit(self.number, self.weight, self.name, self.kind, self.share, self.since);
  }
};
inline std::vector<record> records_of(std::size_t n) {
  random_numbers draw(4);
  std::vector<record> made;
  for (std::size_t i = 0; i < n; ++i)
    made.push_back({static_cast<std::int32_t>(draw()), 0.5 * static_cast<double>(i), text_of(draw),
                    static_cast<std::int16_t>(i % 100), 0.25F, static_cast<std::int64_t>(draw())});
  return made;
}
inline double sum(const std::vector<record>& of) {
  double total = 0;
  for (const record& each : of)
    total += each.number + each.weight + sum(each.name) + each.kind +
             static_cast<double>(each.share) + static_cast<double>(each.since);
  return total;
}

}  // namespace scenes
