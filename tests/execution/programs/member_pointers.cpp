// Pointers to members of classes as objects: mapped, first-private, private, in arrays, to constant members.
#include <cstdio>

struct Body {
  double mass;
  double place[3];
  int count = 4;
};

int main() {
  Body one = {4, {1, 2, 3}};
  double Body::*field = &Body::mass;
  double Body::*const same = field;
  double(Body::*row)[3] = &Body::place;
  const int Body::*counted = &Body::count;
  double Body::*fields[2] = {&Body::mass, &Body::mass};
  double *pointers[2] = {nullptr, nullptr};
  double sum = 0;
#pragma omp target map(to : one) map(from : sum)
  sum = one.*field * 10 + (one.*row)[2] + one.*fields[1] + one.*counted + one.*same;
  std::printf("%g\n", sum);
#pragma omp target map(to : one) map(tofrom : sum) firstprivate(field, same, row, counted, fields, pointers)
  sum += one.*field * 10 + (one.*row)[2] + one.*fields[1] + one.*counted + one.*same + (pointers[1] != nullptr);
  std::printf("%g\n", sum);
#pragma omp target teams distribute parallel for map(to : one) reduction(+ : sum) private(field)
  for (int i = 0; i < 8; i++) {
    field = &Body::mass;
    sum += one.*field;
  }
#pragma omp target teams map(to : one) reduction(+ : sum) firstprivate(field, counted)
  {
    double part = 0;
#pragma omp parallel for firstprivate(field, counted) reduction(+ : part)
    for (int i = 0; i < 8; i++) {
      part += one.*field + one.*counted;
      field = &Body::mass;
    }
#pragma omp parallel for private(field, counted) reduction(+ : part)
    for (int i = 0; i < 8; i++) {
      field = &Body::mass;
      counted = &Body::count;
      part += one.*field + one.*counted;
    }
#pragma omp distribute
    for (int i = 0; i < 1; i++) sum += part;
  }
  std::printf("%g\n", sum);
}
