/**
 * Runs in: ipamd.
 *
 * <p>The store of the AWS VPC CNI: the network interfaces of a node, their secondary addresses and
 * prefixes, and which sandbox has which address, kept in a file over restarts. {@code DataStore} is
 * the entry point, one per network card; {@code StorePool} is its memory, of which {@code
 * PoolBlocks} has the interfaces, and {@code CheckpointContent} what its file says. The package
 * {@code checkpoint} has the format of that file; {@code plan} says what the cloud should give and
 * get back, and {@code cloud} asks it.
 *
 * <p>Without threads, sockets and clouds: the program that embeds it brings where writes run, and
 * tells it which interfaces the cloud has.
 *
 * <p>Looks wrong, is right: an assignment is taken back when its write fails, but a removal that
 * was forced is not; its change is written with a later one, since the cloud has taken the address
 * already.
 *
 * <p>Read {@link io.tidemark.datastore.DataStore} first.
 */
@NullMarked
package io.tidemark.datastore;

import org.jspecify.annotations.NullMarked;
