/** The tests' calls to the emulator besides those of EC2. */
@NullMarked
package io.tidemark.emulator.ec2.admin;

import org.jspecify.annotations.NullMarked;
