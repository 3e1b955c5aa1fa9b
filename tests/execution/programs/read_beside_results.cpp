// Objects that functions read in regions, while they change others that they get by reference.
#include <cstdio>

struct point {
  float x, y;
};
struct camera {
  float turn[2][2];
  point at;
  int width;
};
static bool project(const camera &c, const point &p, int &column, float &depth) {
  const float x = c.turn[0][0] * p.x + c.turn[0][1] * p.y + c.at.x;
  depth = c.turn[1][0] * p.x + c.turn[1][1] * p.y + c.at.y;
  column = (int)x;
  return column >= 0 && column < c.width;
}
static void move(const camera &from, camera &to, float by) {
  to = from;
  to.at.x += by;
}

int main() {
  const int n = 40;
  point points[n];
  int columns[n];
  float depths[n];
  for (int i = 0; i < n; i++) points[i] = {i * 0.5f, 3.0f - i};
  camera c = {{{1, 0.5f}, {-0.25f, 2}}, {1, 2}, 12};
  for (int round = 0; round < 3; round++) {
#pragma omp target teams distribute parallel for map(to : points) map(from : columns, depths)
    for (int i = 0; i < n; i++) {
      int column = -7;
      float depth = 0;
      columns[i] = project(c, points[i], column, depth) ? column : -1;
      depths[i] = depth;
    }
    int seen = 0;
    for (int i = 0; i < n; i++) seen += columns[i] >= 0;
    printf("%d: %d %d %.3f %.3f\n", round, seen, columns[2 * round], depths[1], depths[n - 1]);
    c.at.x -= 1.5f;
    c.width -= round;
  }
  camera moved = c;
#pragma omp target map(tofrom : moved)
  {
    camera own;
    move(c, own, 4);
    move(own, moved, 0.5f);
  }
  printf("%.2f %.2f %d\n", c.at.x, moved.at.x, moved.width);
#pragma omp target
  move(moved, c, 1);
  printf("%.2f %.2f %d\n", c.at.x, moved.at.x, c.width);
  return 0;
}
