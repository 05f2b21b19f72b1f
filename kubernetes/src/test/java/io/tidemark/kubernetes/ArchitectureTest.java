package io.tidemark.kubernetes;

import io.tidemark.architecture.ArchitectureRules;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The shape of the module kubernetes")
class ArchitectureTest extends ArchitectureRules {}
