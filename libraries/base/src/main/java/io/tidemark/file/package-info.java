/**
 * Runs in: anywhere.
 *
 * <p>Files that must survive a crash: write beside, make durable, give the name, make the name
 * durable. The port exists so that tests can fail or end a program at every single call.
 *
 * <p>A program keeps its state in an {@link io.tidemark.file.AtomicFile}, and where many changes
 * come at a time writes it through a {@link io.tidemark.file.GroupCommit}.
 *
 * <p>Read {@link io.tidemark.file.AtomicFile} first.
 */
@NullMarked
package io.tidemark.file;

import org.jspecify.annotations.NullMarked;
