/**
 * Runs in: the build alone.
 *
 * <p>A controller of node CIDRs in virtual time, on an API server in memory: {@code
 * ControllerWorld} is the cluster, and the tests are tables of behaviours.
 */
@NullMarked
package io.tidemark.nodecidr.controller;

import org.jspecify.annotations.NullMarked;
