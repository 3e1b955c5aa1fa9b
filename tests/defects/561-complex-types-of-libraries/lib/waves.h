#pragma once
#ifdef __cplusplus
extern "C" {
#endif
#if defined(_Complex_I) && defined(complex) && defined(I)
typedef double _Complex wave;
typedef float _Complex wave_f;
#else
typedef double wave[2];
typedef float wave_f[2];
#endif
typedef struct { int many; } waves_of;
wave *new_waves(int n);
#ifdef __cplusplus
}
#endif
