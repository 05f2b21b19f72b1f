/**
 * Runs in: operator.
 *
 * <p>The command {@code node-id plan}: which subnets and addresses follow from ids, before a
 * cluster has them. It reads settings and nothing else.
 *
 * <p>Read {@link io.tidemark.operator.nodeid.NodeIdCommand} first.
 */
@NullMarked
package io.tidemark.operator.nodeid;

import org.jspecify.annotations.NullMarked;
