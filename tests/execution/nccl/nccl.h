/* What the example with NCCL calls of it, for machines without GPUs: stand_in.c does it by MPI. */
#ifndef NCCL_H
#define NCCL_H
#include <cuda_runtime_api.h>
#include <stddef.h>
typedef enum { ncclSuccess, ncclInvalidUsage } ncclResult_t;
typedef enum { ncclDouble = 8 } ncclDataType_t;
typedef struct ncclComm *ncclComm_t;
typedef struct {
  char internal[128];
} ncclUniqueId;
ncclResult_t ncclGetUniqueId(ncclUniqueId *id);
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank);
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);
ncclResult_t ncclSend(const void *data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclRecv(void *data, size_t count, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream);
const char *ncclGetErrorString(ncclResult_t result);
#endif
