/**
 * Runs in: the build alone.
 *
 * <p>A controller of node ids in virtual time.
 */
@NullMarked
package io.tidemark.nodeid.controller;

import org.jspecify.annotations.NullMarked;
