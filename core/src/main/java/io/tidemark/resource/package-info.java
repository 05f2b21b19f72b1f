/**
 * Runs in: anywhere.
 *
 * <p>The shared object {@code cilium.io/v2 CiliumNode} as an immutable value that keeps unknown
 * fields, the port to its store, and a store in memory. Inside, an object is a document tree
 * ({@code JsonValue}); one table of shapes ({@code CiliumNodeShapes}) says what is checked when it
 * is read and what counts as a difference.
 *
 * <p>Read {@link io.tidemark.resource.NodeResource} first, then {@link
 * io.tidemark.resource.NodeResourceStore}.
 */
@NullMarked
package io.tidemark.resource;

import org.jspecify.annotations.NullMarked;
