package io.tidemark.emulator.ec2;

import io.tidemark.architecture.ArchitectureRules;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The shape of the emulator")
class ArchitectureTest extends ArchitectureRules {}
