/**
 * Runs in: anywhere.
 *
 * <p>Ports for what a Kubernetes cluster knows apart from the node resources: its Nodes with their
 * CIDRs ({@link io.tidemark.cluster.ClusterNodeStore}), pods that wait for an address, the pod
 * limit of kubelets, cordoned nodes, and events that report problems. The modules {@code
 * kubernetes} and {@code manifests} implement them; {@code cluster.lease} decides which of several
 * operators is the leader.
 */
@NullMarked
package io.tidemark.cluster;

import org.jspecify.annotations.NullMarked;
