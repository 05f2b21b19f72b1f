/**
 * Runs in: tests of the module, those without an API server. Read {@link
 * io.tidemark.kubernetes.PacedEffectsTest} first.
 */
@NullMarked
package io.tidemark.kubernetes;

import org.jspecify.annotations.NullMarked;
