/**
 * Runs in: operator.
 *
 * <p>Node resources that live in a directory of JSON and YAML files, or in one such file: what a
 * person keeps under version control, or what {@code kubectl get ciliumnodes -o yaml} printed. A
 * write changes only the places that it means to change; comments, unknown fields, quoting and
 * order elsewhere stay byte for byte.
 *
 * <p>Read {@link io.tidemark.resource.directory.DirectoryNodeResourceStore} first. A file is read
 * into {@link io.tidemark.resource.directory.ManifestFile}, whose values know their place in the
 * text ({@link io.tidemark.resource.directory.MarkedNode}); {@link
 * io.tidemark.resource.directory.TreeMerge} decides what shall stand there and {@link
 * io.tidemark.resource.directory.TextEditor} which characters change.
 */
@NullMarked
package io.tidemark.resource.directory;

import org.jspecify.annotations.NullMarked;
