/* What the example with NCCL calls of CUDA's runtime, for machines that have none: the device is the CPU. */
#ifndef CUDA_RUNTIME_API_H
#define CUDA_RUNTIME_API_H
typedef enum { cudaSuccess } cudaError_t;
typedef struct CUstream_st *cudaStream_t;
cudaError_t cudaSetDevice(int device);
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
const char *cudaGetErrorString(cudaError_t error);
#endif
