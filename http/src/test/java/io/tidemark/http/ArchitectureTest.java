package io.tidemark.http;

import io.tidemark.architecture.ArchitectureRules;
import org.junit.jupiter.api.DisplayName;

@DisplayName("The shape of the HTTP server")
class ArchitectureTest extends ArchitectureRules {}
