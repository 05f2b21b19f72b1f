/**
 * Runs in: operator and ipamd.
 *
 * <p>Pod addresses on EC2 network interfaces: what is known ({@code EniAccount} and its inventory),
 * what EC2 decides about plans ({@code EniSlots}, {@code EniRules}, {@code SubnetSelector}), and
 * the requests that only EC2 needs ({@code EniCreation}, {@code EniRelease}).
 *
 * <p>Read {@link io.tidemark.provider.aws.eni.EniAllocation} first; what a program of one instance
 * has of it is {@link io.tidemark.provider.aws.eni.InstanceInterfaces}.
 */
@NullMarked
package io.tidemark.provider.aws.eni;

import org.jspecify.annotations.NullMarked;
