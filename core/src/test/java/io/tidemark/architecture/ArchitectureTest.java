package io.tidemark.architecture;

import org.junit.jupiter.api.DisplayName;

@DisplayName("The shape of core")
class ArchitectureTest extends ArchitectureRules {}
