/**
 * Runs in: operator.
 *
 * <p>What {@code doctor} looks at on AWS: as whom we are known, endpoints, clock, metadata, every
 * permission by a dry run on the cluster's own resources, quotas. Nothing is changed. Read {@link
 * io.tidemark.provider.aws.doctor.AwsCheckup} first.
 */
@NullMarked
package io.tidemark.provider.aws.doctor;

import org.jspecify.annotations.NullMarked;
