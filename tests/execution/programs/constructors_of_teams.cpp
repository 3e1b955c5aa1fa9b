// Constructors that nobody names run once for a team, whatever they do.
#include <cstdio>
#define N 64
#pragma omp declare target
int calls;
struct C { int x = calls++; };
struct D { int id; D(){ id = calls++; } };
struct V { float x, y; V() : x(1), y(2) {} V(float a) : x(a), y(a) {} };
struct W { V v; int n = 3; };
struct X : D { int k; };
#pragma omp end declare target
int main(){
  int out[16]={0}, a[N]={0};
  #pragma omp target teams num_teams(1) map(tofrom:out,a)
  {
    calls=0;
    C c; out[0]=calls*10+c.x;
    #pragma omp parallel for
    for(int i=0;i<N;i++) a[i]+=c.x;
    D d; out[1]=calls*10+d.id;
    #pragma omp parallel for
    for(int i=0;i<N;i++) a[i]+=d.id;
    D e[3]; out[2]=calls*10+e[2].id;
    V v; W w; out[3]=v.x+v.y+w.n+w.v.x;
    #pragma omp parallel for
    for(int i=0;i<N;i++) a[i]+=e[1].id+w.v.y;
    X x; out[4]=calls*10+x.id; C c2[2]; out[5]=calls*10+c2[1].x;
    for (int r=0;r<2;r++) { C q; D q2;
      #pragma omp parallel for
      for(int i=0;i<N;i++) a[i]+=q.x+q2.id;
      if (r==0) { C u; D u2; out[6]+=u.x+u2.id; }
      out[7]=calls;
    }
  }
  for(int i=0;i<16;i++) std::printf("%d ",out[i]); int s=0; for(int i=0;i<N;i++) s+=a[i]; std::printf("%d\n",s);
}
