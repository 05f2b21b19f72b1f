/**
 * Runs in: the build alone.
 *
 * <p>Tests of the facades of the AWS VPC CNI.
 */
@NullMarked
package io.tidemark.datastore.legacy;

import org.jspecify.annotations.NullMarked;
