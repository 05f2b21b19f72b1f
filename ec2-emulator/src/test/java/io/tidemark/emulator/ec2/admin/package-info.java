/** What a test does to the emulator besides calling EC2. */
@NullMarked
package io.tidemark.emulator.ec2.admin;

import org.jspecify.annotations.NullMarked;
