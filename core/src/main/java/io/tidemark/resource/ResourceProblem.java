package io.tidemark.resource;

/**
 * A reason why an object is refused.
 *
 * @param where the file or other place of the object, with the line if known
 * @param path path inside the object, such as {@code spec.ipam.pre-allocate}; empty for the whole
 * @param problem what is wrong, with the offending value
 * @param remedy what a person can do
 */
public record ResourceProblem(String where, String path, String problem, String remedy) {}
