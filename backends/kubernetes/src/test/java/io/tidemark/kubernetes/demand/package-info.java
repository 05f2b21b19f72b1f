/**
 * Runs in: the build alone.
 *
 * <p>What pods and namespaces of an imitated API server ask for.
 */
@NullMarked
package io.tidemark.kubernetes.demand;

import org.jspecify.annotations.NullMarked;
