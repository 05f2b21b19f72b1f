package io.tidemark.manifests;

import io.tidemark.resource.ResourceProblem;

/**
 * What cannot be read in a file.
 *
 * @param hides whether an object that stood in the file before may still stand behind it, so that
 *     its absence does not mean that it is gone
 */
record ManifestProblem(ResourceProblem problem, boolean hides) {}
