// References in sequential code of a team to what functions of the library return: one thread finds the place for all.
#include <array>
#include <cstdio>
struct V { int v[8]; int &operator[](int i) { return v[i]; } const int &operator[](int i) const { return v[i]; } int *data() { return v; } };
struct Rows {
  std::array<std::array<int, 4>, 3> rows;
  std::array<int, 4> &row(int i) { return rows.at(i); }
  static const int &larger(const int &a, const int &b) { return a < b ? b : a; }
};
static int of_rows() {
  int sum = 0;
#pragma omp target teams distribute reduction(+ : sum) num_teams(2)
  for (int t = 0; t < 4; t++) {
    Rows m;
    auto &first = m.row(0);
    std::array<int, 4> &second{m.row(1)}, &third(m.row(2));
#pragma omp parallel for
    for (int i = 0; i < 4; i++) first[i] = i, second[i] = i + t, third[i] = 1;
    auto &last = third.back();
    last += second.front();
    int part = 0;
#pragma omp parallel for reduction(+ : part)
    for (int i = 0; i < 4; i++) part += m.rows[0][i] + m.rows[1][i] * m.rows[2][i];
    const int &most = m.larger(first[1], second[2]);
    sum += part + most;
  }
  return sum;
}
int main() {
  printf("%d\n", of_rows());
  double out[6];
#pragma omp target teams distribute map(from : out)
  for (int t = 0; t < 6; t++) {
    std::array<double, 16> buf;
    V w;
#pragma omp parallel for
    for (auto i = 0u; i < buf.size(); i++) buf[i] = i * t, w[i % 8] = i % 8;
    auto &a = w[1];
    const auto &b = w[2];
    double &c = buf[0];
    const auto &d = buf[1];
    a += 1;
    c += b;
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (size_t i = 0; i < buf.size(); i++) s += buf[i] + d;
    out[t] = s;
  }
  double r = 0;
  for (double x : out) r += x;
  printf("%f\n", r);
}
