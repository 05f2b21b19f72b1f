package io.tidemark.emulator.arm;

import io.tidemark.architecture.ArchitectureRules;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The shape of the Azure emulator")
class ArchitectureTest extends ArchitectureRules {}
