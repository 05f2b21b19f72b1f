/**
 * Runs in: operator and ipamd.
 *
 * <p>The only door to EC2. {@link io.tidemark.provider.aws.ec2.Ec2Api} has the operations that we
 * use, in our types, one request per method; the SDK's types stay in {@code SdkEc2Api} and the
 * credential set-up beside it. {@code Ec2ErrorClassifier} says what an error means, {@code
 * Ec2CallLimits} what EC2 allows.
 *
 * <p>Read {@link io.tidemark.provider.aws.ec2.Ec2Api} first.
 */
@NullMarked
package io.tidemark.provider.aws.ec2;

import org.jspecify.annotations.NullMarked;
