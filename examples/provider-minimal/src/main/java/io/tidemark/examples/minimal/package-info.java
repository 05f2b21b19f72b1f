/**
 * Runs in: operator.
 *
 * <p>A provider for an imaginary cloud whose machines have one fixed interface each: addresses come
 * and go one by one, interfaces are never created, and there are no blocks. It is the smallest
 * provider that keeps the whole contract; docs/adding-a-provider.md walks through it.
 *
 * <p>Read {@link io.tidemark.examples.minimal.MachineApi} first, then {@link
 * io.tidemark.examples.minimal.MinimalProvider}.
 */
@NullMarked
package io.tidemark.examples.minimal;

import org.jspecify.annotations.NullMarked;
