// Linkage specifications are no scopes: variables and types in them belong to the namespaces around.
#include <cstdio>

#pragma omp declare target
namespace outer {
int plain = 1;
inline namespace version {
extern "C" {
int of_c = 2;
namespace deeper {
int inside = 3;
}
}
} // namespace version
extern "C" int alone;
int alone = 4;
extern "C" {
static int own = 5;
namespace {
int nobodys = 6;
extern "C++" {
int nobodys_too = 7;
}
} // namespace
struct Kind {
  int part;
};
Kind object = {8};
}
} // namespace outer
extern "C" {
int at_file = 9;
namespace named {
int in_file = 10;
}
}
namespace {
extern "C" {
int hidden = 11;
}
struct Unseen {
  int part;
};
} // namespace
template <class T> struct Of {
  T inner;
};
// Variables of such types are the file's alone, too.
Unseen of_file = {12};
static Of<Unseen> made[2] = {{{13}}, {{14}}};
namespace named {
Unseen *of_nobody = nullptr;
}
#pragma omp end declare target

template <class T> static int part(T object) {
  int result = 0;
#pragma omp target map(from : result) firstprivate(object)
  result = object.part;
  return result;
}

int main() {
  int seen[13];
#pragma omp target map(from : seen)
  {
    seen[0] = outer::plain++, seen[1] = outer::of_c++, seen[2] = outer::deeper::inside++, seen[3] = outer::alone++;
    seen[4] = outer::own++, seen[5] = outer::nobodys++, seen[6] = outer::nobodys_too++, seen[7] = outer::object.part++;
    seen[8] = at_file++, seen[9] = named::in_file++, seen[10] = hidden++;
    seen[11] = of_file.part++, seen[12] = made[1].inner.part++, named::of_nobody = &of_file, named::of_nobody->part += 100;
  }
#pragma omp target update from(outer::plain, outer::of_c, outer::deeper::inside, outer::alone, outer::own)
#pragma omp target update from(outer::nobodys, outer::nobodys_too, outer::object, at_file, named::in_file, hidden, of_file, made)
  for (int value : seen) printf("%d ", value);
  printf("\n%d %d %d %d %d\n", outer::plain, outer::of_c, outer::deeper::inside, outer::alone, outer::own);
  printf("%d %d %d ", outer::nobodys, outer::nobodys_too, outer::object.part);
  printf("%d %d %d\n%d\n", at_file, named::in_file, hidden, part(outer::object));
  printf("%d %d\n", of_file.part, made[1].inner.part);
  return 0;
}
