package io.tidemark.provider.kit;

/**
 * When a read began, before anything was sent for it.
 *
 * @param generation own writes up to it are covered by the answer of a cloud that reads its writes
 * @param nanos monotonic time
 */
public record ReadMark(long generation, long nanos) {}
