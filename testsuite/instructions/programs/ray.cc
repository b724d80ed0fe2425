// SPDX-License-Identifier: GPL-3.0-or-later
// A ray tracer: shapes with virtual functions, vectors as templates, a tree of boxes,
// a scene that is read from text, and exceptions for its mistakes and for rays that were
// reflected too often. Prints a checksum.
// ray [WIDTH]

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace
{

template <typename T, int N> struct Vector {
    std::array<T, N> v{};

    T operator[](int i) const
    {
        return v[static_cast<size_t>(i)];
    }
    T &operator[](int i)
    {
        return v[static_cast<size_t>(i)];
    }
};

template <typename T, int N, typename F>
Vector<T, N> combine(const Vector<T, N> &a, const Vector<T, N> &b, F f)
{
    Vector<T, N> result;
    for (int i = 0; i < N; i++)
        result[i] = f(a[i], b[i]);
    return result;
}

template <typename T, int N>
Vector<T, N> operator+(const Vector<T, N> &a, const Vector<T, N> &b)
{
    return combine(a, b, [](T x, T y) { return x + y; });
}

template <typename T, int N>
Vector<T, N> operator-(const Vector<T, N> &a, const Vector<T, N> &b)
{
    return combine(a, b, [](T x, T y) { return x - y; });
}

template <typename T, int N> Vector<T, N> operator*(const Vector<T, N> &a, T factor)
{
    return combine(a, a, [factor](T x, T) { return x * factor; });
}

template <typename T, int N> T dot(const Vector<T, N> &a, const Vector<T, N> &b)
{
    T sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

template <typename T, int N> Vector<T, N> unit(const Vector<T, N> &a)
{
    return a * (T(1) / std::sqrt(dot(a, a)));
}

using Vec = Vector<double, 3>;

const double far_away = std::numeric_limits<double>::infinity();

struct Ray {
    Vec from, direction;
};

struct Box {
    Vec low{{far_away, far_away, far_away}}, high{{-far_away, -far_away, -far_away}};

    void include(const Box &other)
    {
        low = combine(low, other.low, [](double a, double b) { return std::min(a, b); });
        high =
            combine(high, other.high, [](double a, double b) { return std::max(a, b); });
    }
    bool meets(const Ray &ray, double nearest) const
    {
        double enter = 0, leave = nearest;
        for (int i = 0; i < 3; i++) {
            double a = (low[i] - ray.from[i]) / ray.direction[i];
            double b = (high[i] - ray.from[i]) / ray.direction[i];
            enter = std::max(enter, std::min(a, b));
            leave = std::min(leave, std::max(a, b));
        }
        return enter <= leave;
    }
};

class Shape;

struct Hit {
    double distance = far_away;
    const Shape *shape = nullptr;
};

class Shape
{
  public:
    virtual ~Shape() = default;
    virtual void intersect(const Ray &ray, Hit &hit) const = 0;
    virtual Vec normal(const Vec &at) const = 0;
    virtual Box box() const = 0;
    virtual double mirror() const
    {
        return 0.1;
    }
};

class Sphere : public Shape
{
  public:
    Sphere(const Vec &center, double radius) : center(center), radius(radius)
    {
        if (!(radius > 0))
            throw std::invalid_argument("a sphere without a radius");
    }
    void intersect(const Ray &ray, Hit &hit) const override
    {
        Vec to = center - ray.from;
        double middle = dot(to, ray.direction);
        double rest = radius * radius - dot(to, to) + middle * middle;
        if (rest < 0)
            return;
        double distance = middle - std::sqrt(rest);
        if (distance > 1e-6 && distance < hit.distance)
            hit = {distance, this};
    }
    Vec normal(const Vec &at) const override
    {
        return unit(at - center);
    }
    Box box() const override
    {
        Vec size{{radius, radius, radius}};
        return {center - size, center + size};
    }

  private:
    Vec center;
    double radius;
};

class Mirror final : public Sphere
{
  public:
    using Sphere::Sphere;
    double mirror() const override
    {
        return 0.8;
    }
};

class Tree final : public Shape
{
  public:
    Tree(std::vector<std::unique_ptr<Shape>> shapes, int axis)
    {
        for (const auto &shape : shapes)
            bounds.include(shape->box());
        if (shapes.size() <= 4) {
            parts = std::move(shapes);
            return;
        }
        std::sort(shapes.begin(), shapes.end(), [axis](const auto &a, const auto &b) {
            return a->box().low[axis] < b->box().low[axis];
        });
        std::vector<std::unique_ptr<Shape>> half;
        for (size_t i = shapes.size() / 2; i < shapes.size(); i++)
            half.push_back(std::move(shapes[i]));
        shapes.resize(shapes.size() / 2);
        parts.push_back(std::make_unique<Tree>(std::move(half), (axis + 1) % 3));
        parts.push_back(std::make_unique<Tree>(std::move(shapes), (axis + 1) % 3));
    }
    void intersect(const Ray &ray, Hit &hit) const override
    {
        if (bounds.meets(ray, hit.distance))
            for (const auto &part : parts)
                part->intersect(ray, hit);
    }
    Vec normal(const Vec &) const override
    {
        throw std::logic_error("a tree has no surface");
    }
    Box box() const override
    {
        return bounds;
    }

  private:
    Box bounds;
    std::vector<std::unique_ptr<Shape>> parts;
};

struct Lost {
    double light;
};

double trace(const Shape &scene, const Ray &ray, int depth)
{
    if (depth > 4)
        throw Lost{0.05};
    Hit hit;
    scene.intersect(ray, hit);
    if (hit.shape == nullptr)
        return 0.2 + 0.3 * std::max(0.0, ray.direction[1]);
    Vec at = ray.from + ray.direction * hit.distance;
    Vec normal = hit.shape->normal(at);
    Vec reflected = ray.direction - normal * (2 * dot(ray.direction, normal));
    double light = std::max(0.0, dot(normal, unit(Vec{{1, 2, -1}})));
    double share = hit.shape->mirror();
    return light * (1 - share) + share * trace(scene, {at, unit(reflected)}, depth + 1);
}

std::vector<std::unique_ptr<Shape>> read_scene(std::istream &text, int &mistakes)
{
    std::vector<std::unique_ptr<Shape>> shapes;
    std::string word;
    double x, y, z, radius;
    while (text >> word >> x >> y >> z >> radius)
        try {
            if (word == "sphere")
                shapes.push_back(std::make_unique<Sphere>(Vec{{x, y, z}}, radius));
            else if (word == "mirror")
                shapes.push_back(std::make_unique<Mirror>(Vec{{x, y, z}}, radius));
            else
                throw std::runtime_error("unknown shape " + word);
        } catch (const std::exception &) {
            mistakes++;
        }
    return shapes;
}

std::string make_scene(int count)
{
    static const char *const words[] = {"sphere", "mirror", "cube", "sphere"};
    std::ostringstream text;
    uint32_t seed = 7;
    auto random = [&seed](uint32_t limit) {
        seed = seed * 1664525 + 1013904223;
        return (seed >> 8) % limit;
    };
    for (int i = 0; i < count; i++) {
        text << words[random(4)];
        text << ' ' << random(200) / 10.0 - 10 << ' ' << random(200) / 10.0 - 10;
        text << ' ' << random(200) / 10.0 + 5 << ' ' << random(20) / 10.0 << '\n';
    }
    return text.str();
}

} // namespace

int main(int count, char **arguments)
{
    int width = count > 1 ? std::atoi(arguments[1]) : 800, mistakes = 0, lost = 0;
    std::istringstream text(make_scene(400));
    Tree scene(read_scene(text, mistakes), 0);
    uint64_t hash = 0;
    for (int y = 0; y < width; y++)
        for (int x = 0; x < width; x++) {
            double light;
            try {
                Vec direction{{2.0 * x / width - 1, 1 - 2.0 * y / width, 1}};
                light = trace(scene, {Vec{{0, 0, -5}}, unit(direction)}, 0);
            } catch (const Lost &ray) {
                light = ray.light;
                lost++;
            }
            hash = hash * 31 + static_cast<uint64_t>(light * 255);
        }
    std::printf("%d mistakes, %d lost, hash %llx\n", mistakes, lost,
                static_cast<unsigned long long>(hash));
}
