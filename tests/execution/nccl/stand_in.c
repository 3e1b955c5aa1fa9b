/* NCCL's calls by MPI, on memory of the CPU device. As with NCCL a group begins nothing before it ends, and what it does is
 * there when the stream has been waited for. The device has to be the one that OpenMP has by default. */
#include <mpi.h>
#include <nccl.h>
#include <omp.h>
#include <string.h>

enum { kMost = 16 };
static MPI_Request requests[kMost];
static int count, depth, begun;
static struct {
  void *data;
  int count, peer, is_send;
} calls[kMost];
static ncclUniqueId known;

cudaError_t cudaSetDevice(int device) {
  if (device != omp_get_default_device()) MPI_Abort(MPI_COMM_WORLD, 3);
  return cudaSuccess;
}
cudaError_t cudaStreamCreate(cudaStream_t *stream) { return *stream = (cudaStream_t)&count, cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (stream != (cudaStream_t)&count) MPI_Abort(MPI_COMM_WORLD, 4);
  MPI_Waitall(begun, requests, MPI_STATUSES_IGNORE);
  begun = 0;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return (void)stream, cudaSuccess; }
const char *cudaGetErrorString(cudaError_t error) { return (void)error, "no error"; }

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  memset(id, 0, sizeof *id);
  strcpy(id->internal, "meet here");
  return ncclSuccess;
}
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  int mine, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &mine);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  known = id;
  *comm = (ncclComm_t)&known;
  return mine == rank && all == ranks && strcmp(id.internal, "meet here") == 0 ? ncclSuccess : ncclInvalidUsage;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) { return comm == (ncclComm_t)&known ? ncclSuccess : ncclInvalidUsage; }

ncclResult_t ncclGroupStart(void) { return depth++, ncclSuccess; }
static ncclResult_t add(void *data, size_t elements, int peer, int is_send) {
  if (depth != 1 || count == kMost || begun > 0) return ncclInvalidUsage;
  calls[count].data = data, calls[count].count = (int)elements, calls[count].peer = peer;
  calls[count++].is_send = is_send;
  return ncclSuccess;
}
ncclResult_t ncclSend(const void *data, size_t elements, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  (void)type, (void)comm, (void)stream;
  return add((void *)data, elements, peer, 1);
}
ncclResult_t ncclRecv(void *data, size_t elements, ncclDataType_t type, int peer, ncclComm_t comm, cudaStream_t stream) {
  (void)type, (void)comm, (void)stream;
  return add(data, elements, peer, 0);
}
ncclResult_t ncclGroupEnd(void) {
  for (int i = 0; i < count; i++)
    if (calls[i].is_send)
      MPI_Isend(calls[i].data, calls[i].count, MPI_DOUBLE, calls[i].peer, 0, MPI_COMM_WORLD, &requests[begun++]);
    else
      MPI_Irecv(calls[i].data, calls[i].count, MPI_DOUBLE, calls[i].peer, 0, MPI_COMM_WORLD, &requests[begun++]);
  count = 0;
  depth--;
  return ncclSuccess;
}
const char *ncclGetErrorString(ncclResult_t result) { return result == ncclSuccess ? "no error" : "invalid usage"; }
