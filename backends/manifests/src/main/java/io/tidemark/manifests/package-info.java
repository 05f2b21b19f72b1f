/**
 * Runs in: operator, agent.
 *
 * <p>Node resources in a directory of JSON and YAML files, or in one such file: for trying, for
 * tests and for planning without a cluster. A write changes only the fields that it means to
 * change; unknown fields and the order of keys stay, comments and layout do not.
 *
 * <p>Read {@link io.tidemark.manifests.DirectoryBackend} first, and then {@code ManifestStore},
 * which does the work for objects of any {@code ManifestKind}. A {@code ManifestFile} is what was
 * read of a file, and {@code FolderFiles} exchanges it. The reasons are in
 * docs/internals/decisions/0006-node-files.md.
 */
@NullMarked
package io.tidemark.manifests;

import org.jspecify.annotations.NullMarked;
