/** The program: what its command line accepts, how it ends. */
@NullMarked
package io.tidemark.emulator.ec2.cli;

import org.jspecify.annotations.NullMarked;
