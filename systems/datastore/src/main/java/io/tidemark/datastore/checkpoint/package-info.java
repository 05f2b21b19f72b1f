/**
 * Runs in: ipamd.
 *
 * <p>The file in which a store keeps what is assigned, in the format of the AWS VPC CNI: either
 * program reads what the other one wrote.
 *
 * <p>Looks wrong, is right: unlike other files of this project it is read leniently, as the AWS VPC
 * CNI reads it: case of names, null, repeated members and text behind the document do not count.
 *
 * <p>Read {@link io.tidemark.datastore.checkpoint.CheckpointData} first.
 */
@NullMarked
package io.tidemark.datastore.checkpoint;

import org.jspecify.annotations.NullMarked;
