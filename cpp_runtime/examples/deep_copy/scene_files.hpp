// Meshes from Wavefront's .obj files: their vertices and faces, nothing else.

#pragma once

#include <cstddef>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "mesh.hpp"

namespace tracing {

// Above this a scene has more bytes than an int counts.
inline constexpr std::size_t most_of_mesh = 10'000'000;

// The vertex that a part of a face names ("7", "7/1/3", "-1" for the last one), counted from 0.
inline int vertex_of(const std::string& part, std::size_t vertices) {
  std::istringstream text(part);
  long number = 0;
  char next = '/';
  if (!(text >> number) || (text >> next && next != '/')) throw std::runtime_error("has no vertex");
  const long there = static_cast<long>(vertices);
  const long vertex = number < 0 ? there + number : number - 1;
  if (number == 0 || vertex < 0 || vertex >= there)
    throw std::runtime_error("names vertex " + std::to_string(number) + " of " +
                             std::to_string(vertices));
  return static_cast<int>(vertex);
}

inline void read_line(const std::string& line, scenes::mesh& to) {
  std::istringstream words(line);
  std::string kind;
  words >> kind;
  if (kind == "v") {
    scenes::vector3 at{};
    if (!(words >> at.x >> at.y >> at.z)) throw std::runtime_error("is no vertex");
    to.corners.push_back(at);
  } else if (kind == "f") {
    std::vector<int> vertices;
    for (std::string part; words >> part;) vertices.push_back(vertex_of(part, to.corners.size()));
    if (vertices.size() < 3) throw std::runtime_error("is no face");
    for (std::size_t i = 2; i < vertices.size(); ++i)
      to.triangles.push_back({{vertices[0], vertices[i - 1], vertices[i]}, 0});
  }
  if (to.corners.size() > most_of_mesh || to.triangles.size() > most_of_mesh)
    throw std::runtime_error("is too much for one message");
}

// Throws std::runtime_error, whose sentence names the file and the line.
inline scenes::mesh read_mesh(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + " cannot be opened.");
  scenes::mesh made;
  int number = 0;
  for (std::string line; std::getline(file, line);) {
    ++number;
    try {
      read_line(line, made);
    } catch (const std::runtime_error& problem) {
      throw std::runtime_error("Line " + std::to_string(number) + " of " + path + " " +
                               problem.what() + ".");
    }
  }
  if (file.bad() || made.triangles.empty()) throw std::runtime_error(path + " has no triangles.");
  return made;
}

}  // namespace tracing
