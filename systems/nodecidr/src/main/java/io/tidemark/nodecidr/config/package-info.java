/**
 * Runs in: operator.
 *
 * <p>The settings of node CIDRs: the keys of the Kubernetes controller manager and those of the
 * Cilium operator's cluster-pool mode, checked together, as {@code ClusterCidrs}.
 *
 * <p>Read {@link io.tidemark.nodecidr.config.NodeCidrConfig} first.
 */
@NullMarked
package io.tidemark.nodecidr.config;

import org.jspecify.annotations.NullMarked;
