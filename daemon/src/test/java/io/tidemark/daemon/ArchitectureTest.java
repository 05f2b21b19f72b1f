package io.tidemark.daemon;

import io.tidemark.architecture.ArchitectureRules;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The shape of the program of a node")
class ArchitectureTest extends ArchitectureRules {}
