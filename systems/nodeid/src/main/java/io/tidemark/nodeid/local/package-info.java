/**
 * Runs in: agent, library.
 *
 * <p>The addresses of one node: which pod has which address of the node's pod subnet, and the
 * operations of Contiv's IPAM. The subnets come from the node's id, or, with an external IPAM, the
 * pod subnet comes from the Node object.
 *
 * <p>Without threads, sockets and stores: what Kubernetes knows is handed in.
 *
 * <p>Looks wrong, is right: a pod that Kubernetes lists with another address than it got here keeps
 * the one from here. The list lags behind; it never is ahead.
 *
 * <p>Read {@link io.tidemark.nodeid.local.NodeLocalIpam} first.
 */
@NullMarked
package io.tidemark.nodeid.local;

import org.jspecify.annotations.NullMarked;
