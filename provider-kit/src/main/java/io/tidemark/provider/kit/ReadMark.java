package io.tidemark.provider.kit;

/**
 * When a read began, before anything was sent for it.
 *
 * @param generation the response of a cloud with consistent reads includes own writes up to it
 * @param nanos monotonic time
 */
public record ReadMark(long generation, long nanos) {}
