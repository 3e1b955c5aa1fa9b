#include <cstdio>
#define PACKED __attribute__((packed))
#define ALIGN(n) __attribute__((aligned(n)))
#define BEGIN_WIRE _Pragma("pack(push, 2)")
#define END_WIRE _Pragma("pack(pop)")
// Types that attributes and #pragma pack lay out: as large on the device as on the host.
struct A { char c; double d; } PACKED;
struct B { char c; int i; } PACKED ALIGN(32);
struct [[gnu::packed]] C { char c; long l; };
BEGIN_WIRE
struct D { char c; double d; };
template <class T> struct E { char c; T v; };
END_WIRE
#pragma pack(push, lab, 1)
#pragma pack(push, 4)
struct F { char c; double d; };
#pragma pack(pop)
struct G { char c; double d; struct { char x; long y; } in; } __attribute__((aligned(8)));
#pragma pack(2)
struct H { char c; double d; };
#if 0
#pragma pack(8)
#endif
// #pragma pack(8)
struct I { char c; double d; };
#pragma pack(pop, lab)
struct J { char c; double d; };
#pragma pack(1)
struct K { char c; double d; int b : 5; long e : 40; };
#pragma pack()
enum L { L0, L1 } PACKED;
struct M { L l; alignas(16) char c; short s; };
struct O { char c; long l PACKED; int z; };
typedef struct alignas(32) P { char c; } P;
namespace wire {
#pragma pack(push, 1)
struct Q { char c; float f; };
#pragma pack(pop)
}
#define SIZES(o) { o[0] = sizeof(A); o[1] = sizeof(B); o[2] = sizeof(C); o[3] = sizeof(D); o[4] = sizeof(E<double>); o[5] = sizeof(F); \
 o[6] = sizeof(G); o[7] = sizeof(H); o[8] = sizeof(I); o[9] = sizeof(J); o[10] = sizeof(K); o[11] = sizeof(L); o[12] = sizeof(M); \
 o[13] = sizeof(O); o[14] = sizeof(P); o[15] = sizeof(wire::Q); o[16] = alignof(B); o[17] = sizeof(R); }
int main() {
#pragma pack(push, 1)
  struct R { char c; int i; };
#pragma pack(pop)
  int h[18], d[18] = {};
  G g[2] = {}; g[1].in.y = 7;
  SIZES(h)
#pragma omp target map(tofrom : d) map(tofrom : g)
  { SIZES(d) g[1].in.y += 1; }
  for (int i = 0; i < 18; i++) std::printf("%d %d %s\n", h[i], d[i], h[i] == d[i] ? "same" : "WRONG");
  std::printf("%ld\n", g[1].in.y);
}
