package io.tidemark.emulator.kit;

import io.tidemark.architecture.ArchitectureRules;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The shape of what emulators share")
class ArchitectureTest extends ArchitectureRules {}
