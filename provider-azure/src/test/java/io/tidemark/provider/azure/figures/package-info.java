/** Runs in: tests. Figures of docs/internals/performance.md: many nodes on an emulated Azure. */
@NullMarked
package io.tidemark.provider.azure.figures;

import org.jspecify.annotations.NullMarked;
