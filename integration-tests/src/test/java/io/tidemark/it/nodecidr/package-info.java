/**
 * Runs in: anywhere.
 *
 * <p>What the decisions about node CIDRs cost.
 *
 * <p>Read {@link io.tidemark.it.nodecidr.NodeCidrFigures} first.
 */
@NullMarked
package io.tidemark.it.nodecidr;

import org.jspecify.annotations.NullMarked;
