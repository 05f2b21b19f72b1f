/** Scenarios: every key is read, every mistake is told, and the world is what was written. */
@NullMarked
package io.tidemark.emulator.ec2.scenario;

import org.jspecify.annotations.NullMarked;
