/**
 * The shape of the code, as rules that fail: who may depend on whom ({@link
 * io.tidemark.architecture.Drawing}), which library stops at which door ({@link
 * io.tidemark.architecture.Doors}), and what may not be called ({@link
 * io.tidemark.architecture.ForbiddenCalls}).
 *
 * <p>Read first: {@link io.tidemark.architecture.ArchitectureRules}, which a module's test extends.
 */
@NullMarked
package io.tidemark.architecture;

import org.jspecify.annotations.NullMarked;
