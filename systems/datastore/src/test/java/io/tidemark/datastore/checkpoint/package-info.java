/**
 * Runs in: the build alone.
 *
 * <p>Files as every version of the AWS VPC CNI writes them, and damaged ones.
 */
@NullMarked
package io.tidemark.datastore.checkpoint;

import org.jspecify.annotations.NullMarked;
