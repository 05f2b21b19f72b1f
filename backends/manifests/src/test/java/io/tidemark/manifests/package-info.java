/**
 * Runs in: the build alone.
 *
 * <p>The directory of manifests: a table of texts before and after an edit ({@code edits.txt}),
 * random documents, and the store over a disk that fails, over people who edit at the same moment,
 * and in virtual time. Read {@link io.tidemark.manifests.ObjectEditTest} first.
 */
@NullMarked
package io.tidemark.manifests;

import org.jspecify.annotations.NullMarked;
