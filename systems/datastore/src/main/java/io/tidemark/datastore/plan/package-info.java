/**
 * Runs in: ipamd.
 *
 * <p>How many addresses, prefixes and interfaces a network card should have: pure functions over a
 * view of its store. {@code PoolPlanner} says what to ask the cloud for and what to give back;
 * {@code RemovalRules} which interface is not needed.
 *
 * <p>Looks wrong, is right: profile {@code UPSTREAM} has the arithmetic of the AWS VPC CNI with its
 * peculiarities, such as addresses that cool and count as available, so that a node can be compared
 * with one that it runs.
 *
 * <p>Read {@link io.tidemark.datastore.plan.PoolPlanner} first.
 */
@NullMarked
package io.tidemark.datastore.plan;

import org.jspecify.annotations.NullMarked;
