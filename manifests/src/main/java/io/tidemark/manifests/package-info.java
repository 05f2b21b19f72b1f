/**
 * Runs in: operator, agent.
 *
 * <p>Node resources that live in a directory of JSON and YAML files, or in one such file: what a
 * person keeps under version control, or what {@code kubectl get ciliumnodes -o yaml} printed. A
 * write changes only the places that it means to change; comments, unknown fields, quoting and
 * order elsewhere stay byte for byte.
 *
 * <p>Read {@link io.tidemark.manifests.DirectoryNodeResourceStore} first, and then {@code
 * ManifestStore}, which does the work for objects of any kind; {@link
 * io.tidemark.manifests.ManifestKind} says what the files hold. A file is read into {@link
 * io.tidemark.manifests.ManifestFile}, whose values know their place in the text ({@link
 * io.tidemark.manifests.MarkedNode}); {@link io.tidemark.manifests.TreeMerge} decides what shall
 * stand there, {@link io.tidemark.manifests.TextEditor} which characters change, and {@link
 * io.tidemark.manifests.FileReplacement} exchanges the file. Why it is built this way is told in
 * docs/decisions/0006-node-files.md.
 */
@NullMarked
package io.tidemark.manifests;

import org.jspecify.annotations.NullMarked;
