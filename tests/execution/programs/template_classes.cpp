// Classes made from templates have constructors, destructors and copies of their own as others have.
#include <cstdio>
template <class T> struct Counted {
  T value;
  Counted() : value(7) {}
  Counted(const Counted &other) : value(other.value + 100) {}
  ~Counted() { value = -1; }
};
template <class T> struct Started { T value = 3; T more[2] = {1, 2}; };
template <class T> struct Holder { Counted<T> inside; T other; };
template <class T> struct Odd { mutable T value; T other; };
template <class T> struct Plain { T value; T other; };
int main() {
  int seen[6] = {0};
  Counted<int> c;
  Started<int> s;
  Holder<int> h;
  const Odd<int> odd{4, 5};
  Plain<int> plain{6, 7};
#pragma omp target teams distribute parallel for num_teams(2) private(c, s, h) map(tofrom : seen) firstprivate(plain)
  for (int i = 0; i < 6; i++) {
    if (i == 0) seen[0] = c.value;
    if (i == 1) seen[1] = s.value + s.more[1];
    if (i == 2) seen[2] = h.inside.value;
    if (i == 3) seen[3] = plain.value;
  }
  std::printf("%d %d %d %d\n", seen[0], seen[1], seen[2], seen[3]);
  int sum = 0;
#pragma omp target teams num_teams(1) private(s, h) map(tofrom : sum)
  {
    Started<int> own;
    Counted<int> mine;
    s.value += 1;
    h.inside.value += 1;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    sum += own.value + mine.value + (s.value == 4) + (h.inside.value == 8);
  }
  std::printf("%d\n", sum > 0 && sum % 12 == 0);
#pragma omp target map(tofrom : sum)
  { odd.value++; sum = odd.value + c.value; }
  std::printf("%d %d\n", sum, odd.value);
  int parts = 0;
#pragma omp target parallel for firstprivate(c) reduction(+ : parts)
  for (int i = 0; i < 4; i++) parts += c.value % 100 == 7;
  std::printf("%d\n", parts);
}
